/* Something of everything that C has; what it prints depends on the code that tcc makes of it. */
int printf(const char *, ...);
unsigned long strlen(const char *);

#define SQUARE(x) ((x) * (x))
#define JOIN(a, b) a##b
#define TEXT(x) #x

enum color { RED, GREEN = 5, BLUE };

struct point {
  int x, y;
  unsigned small : 3, other : 5;
  union { long whole; unsigned char bytes[8]; } u;
};

static struct point points[] = { { 1, 2, 3, 4 }, { .y = 7, .u.whole = 0x0102030405060708 }, [3] = { 9 } };

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static const char *name(enum color color) {
  switch (color) {
  case RED: return "red";
  case GREEN: return TEXT(JOIN(gre, en));
  default: return "blue";
  }
}

static void sort(int *first, int *last, int (*less)(int, int)) {
  if (last - first < 2) return;
  int pivot = *first, *middle = first;
  for (int *at = first + 1; at != last; at++)
    if (less(*at, pivot)) { int kept = *++middle; *middle = *at; *at = kept; }
  *first = *middle;
  *middle = pivot;
  sort(first, middle, less);
  sort(middle + 1, last, less);
}

static int upwards(int a, int b) { return a < b; }

static struct point moved(struct point point, double by) {
  point.x += (int)by;
  point.small -= 1;
  return point;
}

int start(void) {
  int numbers[] = { 5, 3, 9, -1, 3, 8, 0 }, count = sizeof numbers / sizeof *numbers;
  sort(numbers, numbers + count, upwards);
  for (int i = 0; i < count; i++) printf("%d%c", numbers[i], i + 1 < count ? ',' : '\n');
  printf("%d %s %s %s %d\n", fib(20), name(RED), name(GREEN), name(BLUE), SQUARE(3 + 4));
  struct point after = moved(points[0], 2.75);
  printf("%d %d %u %u %d %d\n", after.x, after.y, after.small, after.other, points[1].u.bytes[1], points[3].x);
  double sum = 0;
  float half = 0.5f;
  for (unsigned i = 1; i < 1000; i++) sum += half / i;
  long long wide = 1;
  do wide = wide * 6364136223846793005LL + 1442695040888963407LL; while (wide > 0);
  printf("%.12f %lld %llu %d\n", sum, wide, (unsigned long long)wide >> 7, (int)(wide % 1000));
  char text[] = "static single assignment";
  for (unsigned long i = 0, n = strlen(text); i < n / 2; i++) {
    char c = text[i];
    text[i] = text[n - 1 - i];
    text[n - 1 - i] = c;
  }
  int i = 0;
again:
  if (text[i] && text[i] != 'a') { i++; goto again; }
  printf("%s %d %d %ld\n", text, i, (i << 3 ^ 21) & ~2, (long)sizeof(struct point));
  return 0;
}
