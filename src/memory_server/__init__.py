"""Composite Memory MCP Server: a local-first memory for AI agents."""

from importlib.metadata import version

__version__ = version("composite-memory-mcp-server")
