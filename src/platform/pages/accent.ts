// Turns a merchant's colour into a style sheet. Text is readable with any colour: text on the colour is black or white,
// and text in the colour is darkened or lightened until its contrast is sufficient.

type Rgb = readonly [red: number, green: number, blue: number]

/** The backgrounds of pay.css. */
const backgrounds = { light: [255, 255, 255], dark: [21, 24, 27] } as const satisfies Record<string, Rgb>
const quietBackgrounds = { light: [246, 247, 248], dark: [29, 33, 37] } as const satisfies Record<string, Rgb>
/** The contrast that WCAG 2 requires of text (level AA). */
const READABLE = 4.5

export function accentCss(hex: string): string {
  return `:root{${declare(hex, 'light')}}
@media (prefers-color-scheme:dark){:root{${declare(hex, 'dark')}}}
`
}

function declare(hex: string, mode: keyof typeof backgrounds): string {
  const { accent, onAccent, accentText } = accentColours(hex, mode)
  return `--accent:${accent};--on-accent:${onAccent};--accent-text:${accentText}`
}

/** The colour, the colour of text on it, and the colour of text on the page. */
export function accentColours(hex: string, mode: 'light' | 'dark') {
  const colour = toRgb(hex)
  return { accent: toHex(colour), onAccent: textOn(colour), accentText: toHex(readableIn(colour, mode)) }
}

function textOn(colour: Rgb): string {
  return contrast(colour, [255, 255, 255]) >= READABLE ? '#ffffff' : '#000000'
}

function readableIn(colour: Rgb, mode: keyof typeof backgrounds): Rgb {
  const towards = mode === 'light' ? 0 : 255
  const mixes = Array.from({ length: 21 }, (_, step) => mix(colour, towards, step / 20))
  const isReadable = (one: Rgb) =>
    [backgrounds[mode], quietBackgrounds[mode]].every((background) => contrast(one, background) >= READABLE)
  return mixes.find(isReadable) ?? [towards, towards, towards]
}

function mix([red, green, blue]: Rgb, towards: number, share: number): Rgb {
  const part = (value: number) => Math.round(value + (towards - value) * share)
  return [part(red), part(green), part(blue)]
}

/** Returns the contrast ratio of WCAG 2, from 1 (equal) to 21 (black on white). */
export function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(value: number): number {
  const share = value / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

export function toRgb(hex: string): Rgb {
  const digits = hex.replace('#', '')
  const part = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16)
  return [part(0), part(2), part(4)]
}

function toHex(colour: Rgb): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
