// XML as the bank writes it.

export type Xml = string

/** Returns an element with children or a text. An element without content is left out. */
export function tag(name: string, content: Xml | readonly Xml[], attributes = ''): Xml {
  const inside = typeof content === 'string' ? content : content.join('')
  return inside === '' ? '' : `<${name}${attributes}>${inside}</${name}>`
}

export function text(name: string, value: string): Xml {
  return tag(name, escaped(value))
}

export function money(name: string, cents: bigint): Xml {
  return tag(name, decimal(cents), ' Ccy="EUR"')
}

/** Returns the amount without its sign, because the element CdtDbtInd has the sign. */
export function decimal(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export function side(cents: bigint): Xml {
  return text('CdtDbtInd', cents < 0n ? 'DBIT' : 'CRDT')
}

export function documentOf(schema: string, body: Xml): Xml {
  const namespace = `urn:iso:std:iso:20022:tech:xsd:${schema}`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace}">${body}</Document>\n`
}

function escaped(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
