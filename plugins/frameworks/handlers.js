// What every server here does with a notification. What it prints is what the shop has taken.
import { notificationHandlers } from '@tollgate/sdk'

const { TOLLGATE_KEY: key, TOLLGATE_WEBHOOK_SECRET: webhookSecret } = process.env

export const port = Number(process.env.PORT)

export const handlers = notificationHandlers({ key, webhookSecret }, ({ event, status, data }) => {
  console.log(`taken: ${event} ${status} ${data.merOrderNo}`)
})

export function ready() {
  console.log('ready')
}
