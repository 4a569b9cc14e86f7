/** The type of a translation: every label of the English one, with the same parameters of functions. */
export type Translated<T> = T extends string
  ? string
  : T extends (...values: infer Values) => infer Made
    ? (...values: Values) => Translated<Made>
    : T extends number | boolean | null | undefined
      ? T
      : { [Name in keyof T]: Translated<T[Name]> };
