// MD5 (RFC 1321). Merchants without an RSA key sign with MD5, which WebCrypto lacks.

const SHIFTS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const

const SINES = Array.from({ length: 64 }, (_, at) => Math.floor(Math.abs(Math.sin(at + 1)) * 2 ** 32))

/** The MD5 of the text in UTF-8, in upper-case hex. */
export function md5(text: string): string {
  const words = padded(new TextEncoder().encode(text))
  const state = new Uint32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476])
  for (let at = 0; at < words.length; at += 16) addBlock(state, words.subarray(at, at + 16))
  return Array.from(new Uint8Array(littleEndian(state).buffer), hex)
    .join('')
    .toUpperCase()
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

/** Returns the bytes, a 1 bit, zeros, and the length in bits, as little-endian words. */
function padded(bytes: Uint8Array): Uint32Array {
  const blocks = Math.ceil((bytes.length + 9) / 64)
  const view = new DataView(new ArrayBuffer(blocks * 64))
  bytes.forEach((byte, at) => {
    view.setUint8(at, byte)
  })
  view.setUint8(bytes.length, 0x80)
  view.setUint32(blocks * 64 - 8, bytes.length * 8, true)
  view.setUint32(blocks * 64 - 4, Math.floor(bytes.length / 2 ** 29), true)
  return Uint32Array.from({ length: blocks * 16 }, (_, at) => view.getUint32(at * 4, true))
}

function littleEndian(words: Uint32Array): DataView {
  const view = new DataView(new ArrayBuffer(words.length * 4))
  words.forEach((word, at) => {
    view.setUint32(at * 4, word, true)
  })
  return view
}

function addBlock(state: Uint32Array, block: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0] = state
  for (let step = 0; step < 64; step++) {
    const round = step >> 4
    const [mixed, place] = mix(round, step, b, c, d)
    const sum = (a + mixed + (SINES[step] ?? 0) + (block[place % 16] ?? 0)) | 0
    const shift = SHIFTS[round]?.[step % 4] ?? 0
    ;[a, d, c] = [d, c, b]
    b = (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0
  }
  for (const [at, word] of [a, b, c, d].entries()) state[at] = (state[at] ?? 0) + word
}

function mix(round: number, step: number, b: number, c: number, d: number): [mixed: number, place: number] {
  if (round === 0) return [(b & c) | (~b & d), step]
  if (round === 1) return [(d & b) | (~d & c), 5 * step + 1]
  if (round === 2) return [b ^ c ^ d, 3 * step + 5]
  return [c ^ (b | ~d), 7 * step]
}
