"""Tournaments: structure, clock, seating, settlement, standings and prizes, pure and over their own events."""
