"""What a line of free words tells, English and Chinese (DESIGN section 7, point 7)."""
