// The harness: one request in, one response out, both as JSON text. It is
// evaluated in a new engine, takes what it needs before any code of a chart
// runs, and returns the function that answers one request. What runs after
// code of a chart must not use anything that this can have replaced: no method
// that was not taken before, and no for…of, which goes through a method.
(function () {
  "use strict";

  const root = globalThis; // a variable may be called globalThis
  const { parse, stringify } = JSON;
  const { defineProperty, freeze, getOwnPropertyDescriptor, keys, preventExtensions } = Object;
  const { apply, construct, deleteProperty, ownKeys } = Reflect;
  const { floor } = Math;
  const isArray = Array.isArray;
  const sourceOf = Function.prototype.toString;
  const classOf = Object.prototype.toString;
  const hasOwn = Object.prototype.hasOwnProperty;
  const { includes, isWellFormed: wellFormed, slice } = String.prototype;
  const AsText = String;
  const AsNumber = Number;
  const isNoNumber = isNaN;
  const { add, has } = WeakSet.prototype;
  const indirectEval = eval; // called by another name it is global code
  const Native = Date;
  const { UTC } = Date;
  const AnyError = Error;
  const NoSyntax = SyntaxError;
  const NoType = TypeError;

  // ---- what a chart may see of the engine

  // What tells time, threads or the collector apart from one run to the next.
  for (const name of ["Atomics", "SharedArrayBuffer", "WeakRef", "FinalizationRegistry"]) {
    delete root[name];
  }

  // ours are the harness's own functions that code can reach. They depend on
  // what surrounds them, so they cannot be kept as their text.
  const ours = new WeakSet();

  function own(f) {
    apply(add, ours, [f]);
    return f;
  }

  const pad = (n, digits) => ("000000" + n).slice(-digits);

  // Text of a date without a zone is read in the zone of the machine, which
  // must not matter, and now and then also text with one. So the zone is taken
  // off, and the rest read as UTC.
  const remark = /\s*\([^)]*\)$/;
  const offset = /^(.*(?::\d\d(?:[.,]\d+)?|[AP]M|GMT|UTC|UT))\s*([+-])(\d\d):?(\d\d)$/i;
  const utc = /^(.*[\dM\s])(?:Z|GMT|UTC|UT)$/i;
  const dateOnly = /^(?:\d{4}|[+-]\d{6})(?:-\d\d(?:-\d\d)?)?$/;
  const isoTime = /^(?:\d{4}|[+-]\d{6})(?:-\d\d){0,2}T[\d:.,]+$/;
  const longestDate = 200; // characters

  function parseDate(text) {
    text = AsText(text).trim();
    if (text.length > longestDate) return NaN;
    text = text.replace(remark, "");
    let minutes = 0;
    const zone = offset.exec(text);
    if (zone !== null) {
      minutes = (zone[2] + 1) * (zone[3] * 60 + +zone[4]);
      text = zone[1];
    }
    text = (utc.exec(text)?.[1] ?? text).trim();
    const time = Native.parse(dateOnly.test(text) ? text : text + (isoTime.test(text) ? "Z" : " UTC"));
    return time - minutes * 60000;
  }

  function timeValue(x) {
    if (typeof x === "object" && x !== null) {
      const value = x.valueOf();
      x = typeof value === "object" ? AsText(x) : value;
    }
    return typeof x === "string" ? parseDate(x) : AsNumber(x);
  }

  // fixDate makes the clock stand at now, in UTC.
  function fixDate(now) {
    const proto = Native.prototype;
    const method = (name, f) => defineProperty(proto, name, { value: own(f), writable: true, enumerable: false, configurable: true });
    for (const part of ["FullYear", "Month", "Date", "Hours", "Minutes", "Seconds", "Milliseconds"]) {
      method("get" + part, proto["getUTC" + part]);
      method("set" + part, proto["setUTC" + part]);
    }
    method("getDay", proto.getUTCDay);
    method("getTimezoneOffset", function () { return this.getTime() * 0; });
    method("getYear", function () { return this.getUTCFullYear() - 1900; });
    method("setYear", function (year) {
      year = +year;
      return this.setUTCFullYear(year >= 0 && year <= 99 ? 1900 + floor(year) : year);
    });
    const written = (f) => function () { return isNoNumber(this.getTime()) ? "Invalid Date" : f(this); };
    const day = (d) => d.toUTCString().slice(0, 3);
    const month = (d) => d.toUTCString().slice(8, 11);
    const date = (d) => `${day(d)} ${month(d)} ${pad(d.getUTCDate(), 2)} ${pad(d.getUTCFullYear(), 4)}`;
    const clock = (d) => `${pad(d.getUTCHours(), 2)}:${pad(d.getUTCMinutes(), 2)}:${pad(d.getUTCSeconds(), 2)}`;
    method("toString", written((d) => `${date(d)} ${clock(d)} GMT+0000`));
    method("toDateString", written(date));
    method("toTimeString", written((d) => `${clock(d)} GMT+0000`));
    method("toLocaleString", written((d) => `${d.toISOString().slice(0, -14)} ${clock(d)}`));
    method("toLocaleDateString", written((d) => d.toISOString().slice(0, -14)));
    method("toLocaleTimeString", written(clock));

    const Fixed = own(function Date(...given) {
      if (new.target === undefined) return new Native(now).toString();
      const time = given.length === 0 ? now : given.length === 1 ? timeValue(given[0]) : apply(UTC, Native, given);
      return construct(Native, [time], new.target);
    });
    const hidden = (value) => ({ value, writable: true, enumerable: false, configurable: true });
    defineProperty(Fixed, "prototype", { value: proto, writable: false, enumerable: false, configurable: false });
    defineProperty(Fixed, "length", { value: 7, configurable: true });
    defineProperty(Fixed, "now", hidden(own(function () { return now; })));
    defineProperty(Fixed, "parse", hidden(own(function (text) { return parseDate(text); })));
    defineProperty(Fixed, "UTC", hidden(UTC));
    defineProperty(proto, "constructor", hidden(Fixed));
    defineProperty(root, "Date", hidden(Fixed));
  }

  // fixRandom derives chance from four numbers of 32 bits.
  function fixRandom([a, b, c, d]) {
    const next = function () {
      const t = (a + b + d) | 0;
      d = (d + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = ((c << 21) | (c >>> 11)) + t | 0;
      return t >>> 0;
    };
    for (let i = 0; i < 12; i++) next();
    Math.random = own(function random() { return (next() * 0x200000 + (next() >>> 11)) / 0x20000000000000; });
  }

  // ---- values out: JSON text, checked

  class Refused extends AnyError {}

  let limits, nodes, bytes, path;

  function refuse(why) { throw new Refused(why); }

  function write(v) {
    nodes = 0;
    bytes = 0;
    path = [];
    return writeAny(v, 0);
  }

  function writeAny(v, depth) {
    if (++nodes > limits.values || bytes > limits.bytes) refuse("the value is too large to be kept");
    switch (typeof v) {
      case "undefined": return "null";
      case "boolean": return v ? "true" : "false";
      case "number": return writeNumber(v);
      case "string": return writeText(v);
      case "bigint": return refuse("a BigInt cannot be kept; Number(…) makes a number of it");
      case "symbol": return refuse("a symbol cannot be kept");
      case "function": return writeFunction(v);
    }
    return v === null ? "null" : writeObject(v, depth);
  }

  function writeNumber(n) {
    if (n !== n || n === Infinity || n === -Infinity) refuse(`${n} is no number that can be kept`);
    return n === 0 ? "0" : "" + n;
  }

  function writeText(s) {
    bytes += s.length;
    if (bytes > limits.bytes) refuse("the value is too large to be kept");
    if (!apply(wellFormed, s, [])) refuse("text with half a surrogate pair cannot be kept");
    if (apply(includes, s, ["\0"])) refuse("text with the character NUL cannot be kept");
    return stringify(s);
  }

  function writeFunction(f) {
    const text = apply(sourceOf, f, []);
    try {
      if (apply(has, ours, [f])) throw f;
      revive(text);
    } catch {
      refuse("a function without a source text of its own cannot be kept");
    }
    return `{"$function":${writeText(text)}}`;
  }

  function writeObject(v, depth) {
    if (depth >= limits.depth) refuseDepth(v, depth);
    path[depth] = v;
    if (isArray(v)) return writeList(v, depth);
    switch (apply(classOf, v, [])) {
      case "[object Date]": return writeAny(v.toJSON(), depth + 1);
      case "[object Number]":
      case "[object String]":
      case "[object Boolean]": return writeAny(v.valueOf(), depth + 1);
      case "[object Object]": return writeFields(v, depth);
    }
    return refuse(`a value of the kind ${apply(slice, apply(classOf, v, []), [8, -1])} cannot be kept; keep plain objects and lists`);
  }

  // refuseDepth says which: to look for it at each step would cost more than
  // the rest.
  function refuseDepth(v, depth) {
    for (let i = 0; i < depth; i++) {
      if (path[i] === v) refuse("a value that contains itself cannot be kept");
    }
    refuse(`the value is nested deeper than ${limits.depth}`);
  }

  function writeList(list, depth) {
    const length = list.length;
    if (nodes + length > limits.values) refuse("the value is too large to be kept");
    let text = "[";
    for (let i = 0; i < length; i++) text += (i ? "," : "") + writeAny(list[i], depth + 1);
    return text + "]";
  }

  function writeFields(object, depth) {
    const names = keys(object);
    let text = "{";
    for (let i = 0; i < names.length; i++) {
      const value = object[names[i]];
      if (value === undefined) continue;
      if (names[i] === "$function") refuse("an object with a field called $function cannot be kept");
      text += (text === "{" ? "" : ",") + writeText(names[i]) + ":" + writeAny(value, depth + 1);
    }
    return text + "}";
  }

  // ---- values in

  // revive makes a function of its source text. Methods have none that stands
  // alone; in an object they do.
  function revive(text) {
    let made;
    try {
      made = indirectEval(`(\n${text}\n)`);
    } catch (e) {
      if (!(e instanceof NoSyntax)) throw e;
      const holder = indirectEval(`({\n${text}\n})`);
      made = holder[ownKeys(holder)[0]];
    }
    if (typeof made !== "function") throw new NoType("a kept function is none");
    return made;
  }

  // reviveAll puts functions in the place of their texts.
  function reviveAll(v) {
    if (typeof v !== "object" || v === null) return v;
    const names = keys(v);
    if (!isArray(v) && names.length === 1 && names[0] === "$function") return revive(v.$function);
    for (let i = 0; i < names.length; i++) {
      const key = names[i];
      if (typeof v[key] === "object") {
        defineProperty(v, key, { value: reviveAll(v[key]), writable: true, enumerable: true, configurable: true });
      }
    }
    return v;
  }

  function deepFreeze(v) {
    if (typeof v !== "object" || v === null) return v;
    for (const key of keys(v)) deepFreeze(v[key]);
    return freeze(v);
  }

  // readOnly makes a property whose assignment raises in sloppy code, too.
  function readOnly(object, name, value, enumerable, configurable) {
    defineProperty(object, name, {
      get: own(() => value),
      set: own(() => { throw new NoType(`${name} cannot be assigned: it is a system variable`); }),
      enumerable, configurable,
    });
  }

  function eventObject(fields) {
    const event = {};
    for (const name of ["name", "type", "sendid", "origin", "origintype", "invokeid", "data"]) {
      readOnly(event, name, deepFreeze(fields[name]), true, false);
    }
    return preventExtensions(event);
  }

  // same is JSON text that does not depend on the order of fields.
  function same(v) {
    if (typeof v !== "object" || v === null) return v === undefined ? "null" : stringify(v);
    if (isArray(v)) return "[" + v.map(same).join() + "]";
    return "{" + keys(v).filter((k) => v[k] !== undefined).sort().map((k) => stringify(k) + ":" + same(v[k])).join() + "}";
  }

  const processorType = "http://www.w3.org/TR/scxml/#SCXMLEventProcessor";

  // systemValues make the values of the system variables.
  const systemValues = {
    _event: ({ system }) => (system.event === undefined ? undefined : eventObject(system.event)),
    _sessionid: ({ system }) => system.session,
    _name: ({ system }) => system.name,
    _ioprocessors: ({ system }) => deepFreeze(system.processors),
    _x: () => freeze({}),
    In(request) {
      const states = new Set(request.active);
      const active = states.has.bind(states);
      return own(function In(id) { return active(AsText(id)); });
    },
  };

  // systemVariables defines them, or those that are used alone, and returns
  // the objects among them that a variable can hold.
  function systemVariables(request) {
    const objects = [];
    for (const name of request.uses ?? keys(systemValues)) {
      const value = systemValues[name](request);
      remember(name, request.again);
      readOnly(root, name, value, false, request.again === true);
      if (typeof value === "object" && name !== "_x") objects.push(value);
    }
    return objects;
  }

  // remember notes what a global was, to put it back.
  const before = new Map();

  function remember(name, again) {
    if (again) before.set(name, getOwnPropertyDescriptor(root, name));
  }

  function putBack() {
    for (const [name, was] of before) {
      deleteProperty(root, name);
      if (was !== undefined) defineProperty(root, name, was);
    }
    before.clear();
  }

  function isSystem(v) {
    return typeof v === "object" && v !== null && !isArray(v) && (processorType in v || ("name" in v && "type" in v));
  }

  function variable(name, value) {
    defineProperty(root, name, { value, writable: true, enumerable: true, configurable: true });
  }

  function variables(request) {
    const objects = systemVariables(request);
    const reads = request.kind === "expression" || request.kind === "condition";
    for (const group of [request.globals, request.variables]) {
      for (const name of keys(group)) {
        let value = group[name] === null ? undefined : group[name];
        if (request.functions) value = reviveAll(value);
        if (isSystem(value)) value = theObject(value, objects, reads);
        remember(name, request.again);
        variable(name, value);
      }
    }
    for (const name of keys(request.unsayable ?? {})) {
      remember(name, request.again);
      unsayable(name, request.unsayable[name]);
    }
  }

  // theObject gives the system variable that value is a copy of. Where nothing
  // is written, two copies of an earlier one are the same object, too.
  function theObject(value, objects, reads) {
    const found = objects.find((o) => same(o) === same(value));
    if (found === undefined && reads) objects.push(value);
    return found ?? value;
  }

  // unsayable is a variable whose value this language cannot hold: it may be
  // assigned, but not read.
  function unsayable(name, why) {
    defineProperty(root, name, {
      get: own(() => { throw new Refused(`${name}: ${why}`); }),
      set: own((value) => { variable(name, value); }),
      enumerable: false, configurable: true,
    });
  }

  // ---- the kinds of requests

  // written are the texts of the variables, by name, and that of all other
  // globals together.
  function written(request) {
    const variables = { __proto__: null };
    let names = keys(request.variables);
    for (let i = 0; i < names.length; i++) variables[names[i]] = write(root[names[i]]);
    let globals = "";
    names = keys(root);
    for (let i = 0; i < names.length; i++) {
      if (apply(hasOwn, request.variables, [names[i]])) continue;
      globals += (globals ? "," : "") + writeText(names[i]) + ":" + write(root[names[i]]);
    }
    return { variables, globals };
  }

  // changing runs f and answers with what is different afterwards.
  function changing(request, f) {
    const before = written(request);
    f();
    const after = written(request);
    const names = keys(after.variables);
    let changed = "";
    for (let i = 0; i < names.length; i++) {
      const text = after.variables[names[i]];
      if (before.variables[names[i]] !== text) changed += (changed ? "," : "") + writeText(names[i]) + ":" + text;
    }
    return `{"changed":{${changed}}${before.globals === after.globals ? "" : `,"globals":{${after.globals}}`}}`;
  }

  const expression = (source) => indirectEval(`"use strict"; (\n${source}\n)`);

  const kinds = {
    expression: (r) => `{"value":${write(expression(r.source))}}`,
    condition: (r) => `{"condition":${expression(r.source) ? true : false}}`,
    script: (r) => changing(r, () => indirectEval(r.source)),
    location: (r) => changing(r, () => indirectEval(`(function (value) { "use strict"; (\n${r.source}\n) = value; })`)(reviveAll(r.value))),
  };

  // describe gives text, whatever the code throws. Where there is no memory
  // for an error object the engine throws null.
  function describe(e) {
    if (e === null) return "the code throws null, or is out of memory";
    let why = `the code throws ${typeof e === "string" ? stringify(apply(slice, e, [0, 200])) : `a value of the type ${typeof e}`}`;
    if (e instanceof Refused) why = `${e.message}`;
    else if (e instanceof AnyError) why = `${e.name}: ${e.message}`;
    return apply(slice, why, [0, 1000]);
  }

  return function answer(text) {
    try {
      const request = parse(text);
      limits = request.limits;
      if (request.now !== undefined) fixDate(request.now);
      if (request.seed !== undefined) fixRandom(request.seed);
      variables(request);
      return kinds[request.kind](request);
    } catch (e) {
      let why = "the code throws a value that cannot be shown";
      try {
        why = describe(e);
      } catch {}
      return `{"error":${stringify(why)}}`;
    } finally {
      putBack();
    }
  };
})();
