"""Frozen values that every other room speaks of: what a memory is, without where it is kept."""
