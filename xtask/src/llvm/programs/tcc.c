/* Compiles a program from standard input into memory, and executes it. */
#include <stdio.h>
#include <string.h>

typedef struct TCCState TCCState;
TCCState *tcc_new(void);
void tcc_set_options(TCCState *, const char *);
int tcc_set_output_type(TCCState *, int);
int tcc_add_symbol(TCCState *, const char *, const void *);
int tcc_compile_string(TCCState *, const char *);
int tcc_relocate(TCCState *, void *);
void *tcc_get_symbol(TCCState *, const char *);
void tcc_delete(TCCState *);

int main(void) {
  static char text[1 << 20];
  TCCState *state = tcc_new();
  text[fread(text, 1, sizeof text - 1, stdin)] = 0;
  tcc_set_options(state, "-nostdlib");
  tcc_set_output_type(state, 1 /* memory */);
  tcc_add_symbol(state, "printf", printf);
  tcc_add_symbol(state, "strlen", strlen);
  tcc_add_symbol(state, "memset", memset);
  tcc_add_symbol(state, "memmove", memmove);
  if (tcc_compile_string(state, text) || tcc_relocate(state, (void *)1 /* in its own memory */)) return 2;
  int (*start)(void) = tcc_get_symbol(state, "start");
  int status = start ? start() : 3;
  tcc_delete(state);
  return status;
}
