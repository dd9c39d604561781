// The program that the launchers start: what is measured is the way to it and back.
int main() { return 0; }
