struct Even {
  static bool keep(uint bits, uint index, uint4 low, uint4 high) { return bits % 2 == 0; }
};
