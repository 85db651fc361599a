// One payer's link, requested by many clients concurrently: each request makes the gateway query the wallet.
import type { Attack } from '../attack.ts'
import { repeatRequest } from '../raw-client.ts'

const CALLERS = 600

export const oneLink: Attack = async ({ port, payUrl }) => {
  const { pathname } = new URL(payUrl)
  return repeatRequest(
    port,
    CALLERS,
    Buffer.from(`GET ${pathname}/complete HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`),
  )
}
