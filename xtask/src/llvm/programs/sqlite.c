/* Executes statements from standard input, and prints what they give. */
#include <stdio.h>
#include <stdlib.h>

typedef struct sqlite3 sqlite3;
int sqlite3_open(const char *, sqlite3 **);
int sqlite3_exec(sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **);
int sqlite3_close(sqlite3 *);

static int row(void *unused, int count, char **values, char **names) {
  for (int place = 0; place < count; place++)
    printf("%s%s=%s", place ? "|" : "", names[place], values[place] ? values[place] : "NULL");
  printf("\n");
  return 0;
}

int main(void) {
  static char text[1 << 20];
  sqlite3 *database;
  char *error = NULL;
  text[fread(text, 1, sizeof text - 1, stdin)] = 0;
  if (sqlite3_open(":memory:", &database)) return 2;
  int status = sqlite3_exec(database, text, row, NULL, &error);
  printf("%d %s\n", status, error ? error : "");
  return sqlite3_close(database);
}
