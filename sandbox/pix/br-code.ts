// The Pix QR code that the payee's bank writes. The checksum is implemented independently of the gateway's code, so
// that tests notice a mistake on either side.

export type CodeOrder = {
  readonly location: string
  readonly amount: string
  readonly name: string
  readonly city: string
}

export function brCode({ location, amount, name, city }: CodeOrder): string {
  const account = field('00', 'br.gov.bcb.pix') + field('25', location)
  const open = [
    field('00', '01'),
    field('01', '12'),
    field('26', account),
    field('52', '0000'),
    field('53', '986'),
    field('54', amount),
    field('58', 'BR'),
    field('59', name),
    field('60', city),
    field('62', field('05', '***')),
    '6304',
  ].join('')
  return open + checksum(open)
}

function field(id: string, value: string): string {
  return `${id}${String(value.length).padStart(2, '0')}${value}`
}

/** CRC-16 with polynomial 0x1021 and initial value 0xFFFF, bit by bit. */
function checksum(text: string): string {
  const bits = [...Buffer.from(text, 'latin1')].flatMap((byte) =>
    [7, 6, 5, 4, 3, 2, 1, 0].map((place) => (byte >> place) & 1),
  )
  const rest = bits.reduce((crc, bit) => {
    const shifted = (crc << 1) & 0xffff
    return ((crc >> 15) ^ bit) === 1 ? shifted ^ 0x1021 : shifted
  }, 0xffff)
  return rest.toString(16).toUpperCase().padStart(4, '0')
}
