"""Knowledge boundaries measured: event lists with known answers, replayed through the engine itself."""
