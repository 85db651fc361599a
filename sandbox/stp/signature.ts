// Checks the company's signatures of orders and queries. The signed text is implemented independently of the gateway's
// code.
import { type KeyObject, verify } from 'node:crypto'
import type { Fields } from '../../src/platform/base/object.ts'

const names =
  `institucionContraparte empresa fechaOperacion folioOrigen claveRastreo institucionOperante monto tipoPago
  tipoCuentaOrdenante nombreOrdenante cuentaOrdenante rfcCurpOrdenante tipoCuentaBeneficiario nombreBeneficiario
  cuentaBeneficiario rfcCurpBeneficiario emailBeneficiario tipoCuentaBeneficiario2 nombreBeneficiario2 cuentaBeneficiario2
  rfcCurpBeneficiario2 conceptoPago conceptoPago2 claveCatUsuario1 claveCatUsuario2 clavePago referenciaCobranza
  referenciaNumerica tipoOperacion topologia usuario medioEntrega prioridad iva`.split(/\s+/)

export function isSigned(body: Fields, key: KeyObject): boolean {
  const { firma } = body
  const text = names.reduce((signed, name) => `${signed}|${body[name] ?? ''}`, '|')
  return (
    typeof firma === 'string' && verify('sha256', Buffer.from(`${text}||`), key, Buffer.from(firma, 'base64'))
  )
}
