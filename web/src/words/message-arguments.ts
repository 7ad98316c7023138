// Type-level parser for the names of the arguments in a message.

type Trim<Text extends string> = Text extends ` ${infer Rest}` | `${infer Rest} ` ? Trim<Rest> : Text;

/**
 * Walks from brace to brace. `Depth` has one letter for each open brace: `t` in text, `c` among the cases of
 * a plural or a selection.
 */
type Walk<Text extends string, Depth extends string> = Text extends `${infer Before}{${infer After}`
  ? Before extends `${infer _}}${infer Rest}`
    ? Depth extends `${infer _}${infer Outer}`
      ? Walk<`${Rest}{${After}`, Outer>
      : never
    : Depth extends `c${string}`
      ? Walk<After, `t${Depth}`>
      : After extends `${infer Name}}${infer Rest}`
        ? Name extends `${infer Argument},${string}`
          ? Trim<Argument> | Walk<After, `c${Depth}`>
          : Trim<Name> | Walk<Rest, Depth>
        : never
  : never;

/**
 * Argument names of the message: `MessageArguments<'{count, plural, other {# of {name}}}'>` is `'count' |
 * 'name'`.
 */
export type MessageArguments<Text extends string> = Walk<Text, 't'>;
