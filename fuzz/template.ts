// Fills the marks of an input. The mark `{{name}}` is replaced by its value. The mark `"{{#name}}"` is replaced
// together with its quotes, and so becomes a number.

/** The characters of a mark may be percent-encoded, as in forms. */
const mark = /"\{\{#(\w+)\}\}"|(?:\{\{|%7B%7B)(?:#|%23)?(\w+)(?:\}\}|%7D%7D)/g

/** A mark without a value stays as it is. */
export function fill(text: string, valueFor: (name: string) => string | undefined): string {
  return text.replace(
    mark,
    (whole, number?: string, name?: string) => valueFor(number ?? name ?? '') ?? whole,
  )
}
