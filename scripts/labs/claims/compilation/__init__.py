"""Claims about torch.compile: questions 1a (on the CPU) and 1b (on CUDA)."""
