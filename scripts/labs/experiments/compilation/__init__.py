"""torch.compile against eager execution: the lab's loop, and what changes with modes and sizes."""
