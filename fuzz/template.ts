// Fills the marks of an input. `{{name}}` is replaced as it stands; `"{{#name}}"` loses its quotes too, and becomes a number.

/** Forms write braces and # by their codes. */
const mark = /"\{\{#(\w+)\}\}"|(?:\{\{|%7B%7B)(?:#|%23)?(\w+)(?:\}\}|%7D%7D)/g

/** A mark that nobody knows stays as it is. */
export function fill(text: string, valueFor: (name: string) => string | undefined): string {
  return text.replace(
    mark,
    (whole, number?: string, name?: string) => valueFor(number ?? name ?? '') ?? whole,
  )
}
