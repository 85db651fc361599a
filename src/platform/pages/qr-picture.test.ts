import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import jsQR from 'jsqr'
import { qrPicture } from './qr-picture.ts'

const SCALE = 4

/** Reads the picture as a camera would see it, by drawing its rectangles in order. */
function scan(svg: string): string | undefined {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]) * SCALE
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255)
  for (const [, fill, path = ''] of svg.matchAll(/<path fill="(#\w+)" d="([^"]+)"/g))
    for (const [, x, y, width, height] of path.matchAll(/M(\d+) (\d+)h(\d+)v(\d+)/g)) {
      const [left, top, wide, high] = [x, y, width, height].map((number) => Number(number) * SCALE)
      paint(pixels, size, { left, top, wide, high }, fill === '#000' ? 0 : 255)
    }
  return jsQR.default(pixels, size, size)?.data
}

type Box = Record<'left' | 'top' | 'wide' | 'high', number | undefined>

function paint(pixels: Uint8ClampedArray, size: number, box: Box, shade: number): void {
  const { left = 0, top = 0, wide = 0, high = 0 } = box
  for (let row = top; row < top + high; row += 1)
    for (let column = left; column < left + wide; column += 1) {
      const at = (row * size + column) * 4
      pixels.fill(shade, at, at + 3)
    }
}

describe('the picture of a QR code', () => {
  it('can be scanned, short or long', () => {
    const short = 'https://pay.example/1'
    const long = `0002010102122685${'0123456789abcdef'.repeat(16)}6304ABCD`
    for (const payload of [short, long]) assert.equal(scan(qrPicture(payload, 'code').html), payload)
  })

  it('has a white quiet zone of four modules, and an accessible name', () => {
    const { html } = qrPicture('x', 'Code of "this" payment')
    assert.match(html, /<path fill="#fff" d="M0 0h29v29H0z"\/>/)
    assert.match(html, /role="img" aria-label="Code of &#34;this&#34; payment"/)
    const corners = [...html.matchAll(/M(\d+) (\d+)h/g)].map(([, x, y]) => Math.min(Number(x), Number(y)))
    assert.equal(Math.min(...corners.filter((corner) => corner > 0)), 4)
  })
})
