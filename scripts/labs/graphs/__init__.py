"""Graphs of ATen operators: passes over them, what a node is, and Lab 0's experiment with them."""
