"""What a character remembers: three layers, kept in a store of its own."""
