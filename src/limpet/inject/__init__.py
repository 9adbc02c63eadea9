"""What enters a prompt: chosen, governed, cut to a budget, rendered, and written down."""
