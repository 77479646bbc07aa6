// x ↦ slope x + offset modulo 2^32, as a pair; one after the other, which does not commute.
struct Affine {
  static uint2 identity() { return uint2(1, 0); }
  static uint2 combine(uint2 first, uint2 then) { return uint2(first.x * then.x, then.x * first.y + then.y); }
};
