import type { WholeRequest } from '../../request-log/entry.ts'

/** The request as a command. Masked values are to be filled in. */
export function asCurl(baseUrl: string, request: WholeRequest): string {
  const { endpoint, paymentType, referer, body } = request
  const lines = [
    `curl ${quoted(baseUrl + endpoint)}`,
    `-H ${quoted('Content-Type: application/json')}`,
    ...(paymentType === '' ? [] : [`-H ${quoted(`paymentType: ${paymentType}`)}`]),
    ...(referer === '' ? [] : [`-H ${quoted(`Referer: ${referer}`)}`]),
    `--data ${quoted(body)}`,
  ]
  return lines.join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
