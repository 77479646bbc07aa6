// Keeps every block whose place gives the second constant when divided by the first, and those whose third word is small.
struct Mine {
  static bool keep(uint4 bits, uint index, uint4 low, uint4 high) {
    return index % low.x == low.y || bits.z < high.x;
  }
};
