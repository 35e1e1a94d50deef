-- Something of everything that the interpreter has; printed, so that two builds of it can be compared.
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print(fib(24), 7 // 2, -7 // 2, 7 % -3, 2 ^ 0.5, 1e308 * 10, -0.0, 3 | 4 ~ 1, 1 << 62)

local words = {}
for word in ("the quick brown fox jumps over the lazy dog"):gmatch("%a+") do words[#words + 1] = word end
table.sort(words, function(a, b) return #a == #b and a < b or #a < #b end)
print(table.concat(words, ","), ("x"):rep(5, "-"), ("%5.2f|%-8s|%x"):format(math.pi, "left", 48879))

local account = setmetatable({}, { __index = function(_, key) return key .. "!" end, __call = function(_, x) return x * 2 end })
print(account.missing, account(21), rawlen({ 1, 2, nil, 4 }) >= 2, select("#", nil, nil))

local function generator(n)
  return coroutine.wrap(function() for i = 1, n do coroutine.yield(i, i * i) end end)
end
for i, square in generator(4) do io.write(i, ":", square, " ") end
print()

print(pcall(function() local t = nil; return t.x end))
print(select(2, pcall(error, { code = 5 })).code, tostring(1 / 0), math.type(3), math.type(3.0), 10 == 10.0)
print(string.pack(">I4", 1234):byte(1, -1))
local sum = 0
for i = 1, 200000 do
  if i % 3 == 0 then goto continue end
  sum = sum + (i ~ (i >> 3)) % 17
  ::continue::
end
print(sum, #string.dump(fib) > 0, load("return 1 + 1")(), next({}), utf8.char(228, 8364))
