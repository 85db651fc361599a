// The EMVCo format of payment QR codes (Pix, QR Ph and VietQR are dialects): fields of a two-digit id, a two-digit
// length and a value or a template of fields. Field 63 is a checksum. Only printable ASCII is allowed, so that lengths
// in characters and in bytes are equal.

export type EmvField = readonly [id: string, value: string | readonly EmvField[]]

export function template(id: string, ...fields: readonly EmvField[]): EmvField {
  return [id, fields]
}

/** The values of fields by their id. The value of a template is a text, which `readTemplate` reads. */
export type EmvValues = ReadonlyMap<string, string>

const CRC_HEAD = '6304'
const MAX_VALUE = 99

export function writeEmv(fields: readonly EmvField[]): string {
  const open = writeFields(fields) + CRC_HEAD
  return open + crc16(open)
}

function writeFields(fields: readonly EmvField[]): string {
  return fields.map(writeField).join('')
}

function writeField([id, value]: EmvField): string {
  const text = typeof value === 'string' ? value : writeFields(value)
  if (!/^\d\d$/.test(id)) throw new Error(`not an EMV field id: ${id}`)
  if (!/^[ -~]+$/.test(text) || text.length > MAX_VALUE) throw new Error(`invalid value for EMV field ${id}`)
  return id + String(text.length).padStart(2, '0') + text
}

/** Reads the values of a payload. Undefined if the checksum is wrong, or if a field is malformed or repeated. */
export function readEmv(payload: string): EmvValues | undefined {
  const [open, checksum] = [payload.slice(0, -4), payload.slice(-4)]
  return open.endsWith(CRC_HEAD) && crc16(open) === checksum ? readTemplate(payload) : undefined
}

export function readTemplate(text: string): EmvValues | undefined {
  if (!/^[ -~]*$/.test(text)) return undefined
  const values = new Map<string, string>()
  let at = 0
  while (at < text.length) {
    const [, id = '', digits = ''] = /^(\d\d)(\d\d)/.exec(text.slice(at, at + 4)) ?? []
    const value = text.slice(at + 4, at + 4 + Number(digits))
    if (value === '' || value.length !== Number(digits) || values.has(id)) return undefined
    values.set(id, value)
    at += 4 + value.length
  }
  return values
}

/** CRC-16/CCITT-FALSE in four upper-case hex digits. */
export function crc16(text: string): string {
  let crc = 0xffff
  for (const byte of Buffer.from(text, 'utf8')) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}

/** Writes a name or city in ASCII, without accents and other scripts. Returns `fallback` if nothing is left. */
export function emvText(text: string, maxLength: number, fallback: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/[đĐ]/g, (letter) => (letter === 'đ' ? 'd' : 'D'))
    .replace(/[^ -~]/g, '')
    .replace(/ +/g, ' ')
    .trim()
  return plain === '' ? fallback : plain.slice(0, maxLength).trimEnd()
}
