// The program that the launchers start. It does nothing: the cost of starting and waiting is
// measured.
int main() { return 0; }
