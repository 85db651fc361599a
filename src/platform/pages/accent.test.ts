import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { accentCss, contrast, toRgb } from './accent.ts'
import { assetsFolder } from './manifest.ts'

type Tokens = Readonly<Record<string, string>>

/** Returns the colours of a style sheet, in light mode and in dark mode. */
function tokensOf(css: string): { readonly light: Tokens; readonly dark: Tokens } {
  const [light = '', dark = ''] = [...css.matchAll(/:root\s*\{([^}]*)\}/g)].map(([, body]) => body)
  const read = (body: string) =>
    Object.fromEntries(
      [...body.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, name, hex]) => [name, hex]),
    )
  return { light: read(light), dark: read(dark) }
}

const style = tokensOf(readFileSync(new URL('pay.css', assetsFolder), 'utf8'))
const ratio = (one = '', other = '') => contrast(toRgb(one), toRgb(other))

describe('the colours of the pages', () => {
  for (const mode of ['light', 'dark'] as const)
    it(`are readable in ${mode} mode`, () => {
      const tokens = style[mode]
      const pairs = ['text', 'soft', 'good', 'bad', 'wait', 'accent-text'].flatMap((ink) =>
        ['ground', 'quiet'].map((ground) => [ink, ground] as const),
      )
      const more = [
        ['bad', 'bad-ground'],
        ['wait', 'wait-ground'],
        ['text', 'wait-ground'],
        ['on-accent', 'accent'],
      ] as const
      for (const [ink, ground] of [...pairs, ...more])
        assert.ok(ratio(tokens[ink], tokens[ground]) >= 4.5, `${ink} on ${ground}`)
    })
})

describe("a merchant's colour", () => {
  it('is always readable, as background and as text, in light and dark mode', () => {
    const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => value.toString(16).padStart(6, '0'))
    fc.assert(
      fc.property(hex, (colour) => {
        const made = tokensOf(accentCss(`#${colour}`))
        for (const mode of ['light', 'dark'] as const) {
          const tokens = made[mode]
          assert.equal(tokens.accent, `#${colour}`)
          assert.ok(ratio(tokens['on-accent'], tokens.accent) >= 4.5)
          for (const ground of ['ground', 'quiet'])
            assert.ok(ratio(tokens['accent-text'], style[mode][ground]) >= 4.5, `${mode} ${ground}`)
        }
      }),
    )
  })

  it('stays unchanged where it is readable', () => {
    assert.equal(tokensOf(accentCss('0f766e')).light['accent-text'], '#0f766e')
    assert.notEqual(tokensOf(accentCss('ffd400')).light['accent-text'], '#ffd400')
  })
})
