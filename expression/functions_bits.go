package expression

var bitFunctions = map[string]*function{
	"bitand":  bits2("bitand", "the bits that both have", func(x, y int64) int64 { return x & y }),
	"bitor":   bits2("bitor", "the bits that either has", func(x, y int64) int64 { return x | y }),
	"bitxor":  bits2("bitxor", "the bits that one has", func(x, y int64) int64 { return x ^ y }),
	"bitnand": bits2("bitnand", "the bits of a that b does not have", func(x, y int64) int64 { return x &^ y }),
	"bitshl":  shift("bitshl", "the bits of a, n places up; what leaves is lost", func(x int64, n uint64) int64 { return x << n }),
	"bitshr":  shift("bitshr", "the bits of a, n places down, with the sign", func(x int64, n uint64) int64 { return x >> n }),
	"bitushr": shift("bitushr", "the bits of a, n places down, without the sign", func(x int64, n uint64) int64 { return int64(uint64(x) >> n) }),
	"bitnot": {usage: "bitnot(a)", does: "all bits the other way", least: 1, most: 1, takes: []kind{integer}, gives: integer,
		one: func(_ meter, v any) (any, error) { return ^v.(int64), nil }},
}

func bits2(name, does string, f func(x, y int64) int64) *function {
	return &function{usage: name + "(a, b)", does: does, least: 2, most: 2, takes: []kind{integer}, gives: integer,
		many: func(_ meter, args []any) (any, error) { return f(args[0].(int64), args[1].(int64)), nil }}
}

func shift(name, does string, f func(x int64, n uint64) int64) *function {
	return &function{usage: name + "(a, n)", does: does, least: 2, most: 2, takes: []kind{integer}, gives: integer,
		many: func(_ meter, args []any) (any, error) {
			n := args[1].(int64)
			if n < 0 {
				return nil, wrong("", "bits cannot be moved by %d places", n)
			}
			return f(args[0].(int64), uint64(n)), nil
		}}
}
