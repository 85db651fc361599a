// Unsigned uploads of as many tiny parts as fit into the body.
import type { Attack } from '../attack.ts'
import { httpPost, repeatRequest } from '../raw-client.ts'

const CLIENTS = 4
const BODY_BYTES = 2_000_000
const PART = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n'

export const tinyParts: Attack = async ({ port }) => {
  const body = Buffer.from(`${PART.repeat(Math.floor(BODY_BYTES / PART.length))}--b--\r\n`)
  return repeatRequest(port, CLIENTS, httpPost('/file/upload', 'multipart/form-data; boundary=b', body))
}
