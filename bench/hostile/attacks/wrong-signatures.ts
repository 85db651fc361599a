// Payments of a known merchant with wrong signatures, from the same address as the measured payments.
import { cardBody } from '../../../test/client.ts'
import type { Attack } from '../attack.ts'
import { httpPost, repeatRequest } from '../raw-client.ts'

const CLIENTS = 4

export const wrongSignatures: Attack = async ({ port, shop }) => {
  const body = cardBody({ ...shop, baseUrl: '' }, { sign: 'A'.repeat(32) })
  return repeatRequest(
    port,
    CLIENTS,
    httpPost('/payment', 'application/json', Buffer.from(JSON.stringify(body))),
  )
}
