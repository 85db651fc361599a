// SQL about JSON that is stored as text.

/**
 * PostgreSQL's text cannot hold the character that the escape \u0000 stands for, so no field can be read from JSON with it.
 * A backslash that is escaped itself is no escape: `"\\u0000"` is a text that someone typed, and stays.
 */
export function withoutNul(column: string): string {
  return `case when strpos(${column}, 'u0000') = 0 then ${column}
    else regexp_replace(${column}, '(?<!\\\\)((?:\\\\\\\\)*)\\\\u0000', '\\1', 'g') end`
}
