// Receives notifications. Medusa's own route for webhooks answers before the work is done, and not in the gateway's words; this one
// acknowledges what Medusa has stored, and otherwise the gateway sends it again.
import type { MedusaRequest, MedusaResponse } from '@medusajs/framework/http'
import { ContainerRegistrationKeys, Modules, PaymentActions } from '@medusajs/framework/utils'
import { processPaymentWorkflow } from '@medusajs/medusa/core-flows'
import { TollgateError } from '@tollgate/sdk'

export async function POST(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  const { provider = '' } = request.params
  if (!/^tollgate(_[\w-]+)?$/.test(provider)) {
    response.status(404).send('the address ends with the id of a Tollgate provider, without pp_')
    return
  }
  try {
    await receive(request, provider)
    response.status(200).send('SUCCESS')
  } catch (error) {
    request.scope.resolve(ContainerRegistrationKeys.LOGGER).error(`A notification of Tollgate: ${error}`)
    const isForeign = error instanceof TollgateError && error.next === 'check-keys'
    response.status(isForeign ? 400 : 500).send(isForeign ? error.message : 'try again later')
  }
}

async function receive(request: MedusaRequest, provider: string): Promise<void> {
  const payload = { data: {}, rawData: request.rawBody, headers: request.headers }
  const payments = request.scope.resolve(Modules.PAYMENT)
  const found = await payments.getWebhookActionAndData({ provider, payload })
  // Medusa's workflow locks the cart, so a payer who returns at this moment waits for it, or it for them.
  if (found.action === PaymentActions.SUCCESSFUL)
    await processPaymentWorkflow(request.scope).run({ input: found })
}
