// The text that STP wants signed: the fields in a fixed order, separated by bars.

const orderFields = [
  ...['institucionContraparte', 'empresa', 'fechaOperacion', 'folioOrigen', 'claveRastreo'],
  ...[
    'institucionOperante',
    'monto',
    'tipoPago',
    'tipoCuentaOrdenante',
    'nombreOrdenante',
    'cuentaOrdenante',
  ],
  ...['rfcCurpOrdenante', 'tipoCuentaBeneficiario', 'nombreBeneficiario', 'cuentaBeneficiario'],
  ...['rfcCurpBeneficiario', 'emailBeneficiario', 'tipoCuentaBeneficiario2', 'nombreBeneficiario2'],
  ...['cuentaBeneficiario2', 'rfcCurpBeneficiario2', 'conceptoPago', 'conceptoPago2', 'claveCatUsuario1'],
  ...['claveCatUsuario2', 'clavePago', 'referenciaCobranza', 'referenciaNumerica', 'tipoOperacion'],
  ...['topologia', 'usuario', 'medioEntrega', 'prioridad', 'iva'],
] as const

/** Values as they are in the request; an absent one is empty. */
export type OrderFields = Readonly<Partial<Record<(typeof orderFields)[number], string | number>>>

/** Of an order, and of a question, which has a few of its fields. */
export function cadenaOf(fields: OrderFields): string {
  return `||${orderFields.map((name) => fields[name] ?? '').join('|')}||`
}

/** Accents are dropped; what is not ASCII, and the bar that separates fields, becomes a space. */
export function plainText(text: string, most: number): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]|\|/gu, ' ')
  return plain.replace(/ +/g, ' ').trim().slice(0, most).trim()
}
