static const uint shared_factor = 2;
