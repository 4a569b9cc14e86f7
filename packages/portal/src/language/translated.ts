/** What a translation must have: every label of the English one, and of its functions the parameters. */
export type Translated<T> = T extends string
  ? string
  : T extends (...values: infer Values) => infer Made
    ? (...values: Values) => Translated<Made>
    : T extends number | boolean | null | undefined
      ? T
      : { [Name in keyof T]: Translated<T[Name]> };
