/* Executes a script from standard input. */
#include <stdio.h>

typedef struct lua_State lua_State;
lua_State *luaL_newstate(void);
void luaL_openlibs(lua_State *);
int luaL_loadfilex(lua_State *, const char *, const char *);
int lua_pcallk(lua_State *, int, int, int, long, void *);
const char *lua_tolstring(lua_State *, int, size_t *);
void lua_close(lua_State *);

int main(void) {
  lua_State *state = luaL_newstate();
  luaL_openlibs(state);
  /* Without a name, it is standard input. */
  int status = luaL_loadfilex(state, NULL, NULL) || lua_pcallk(state, 0, 0, 0, 0, NULL);
  if (status) printf("%s\n", lua_tolstring(state, -1, NULL));
  lua_close(state);
  return status;
}
