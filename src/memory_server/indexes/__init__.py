"""Derived indexes, built from storage and never the only copy of anything: embeddings, vectors, the graph."""
