// What waits for operators: one number for each queue.
import { type TSchema, Type } from 'typebox'
import type { Routes } from '../route.ts'

/** The queues of operators, each described in the same way. */
export function ofEachQueue<S extends TSchema>(schema: S) {
  return {
    merchantsToApprove: schema,
    websitesToApprove: schema,
    approvalsToDecide: schema,
    refundsToApprove: schema,
    payoutsToApprove: schema,
    unknownOutcomes: schema,
    reviewsToDecide: schema,
    suspenseToDecide: schema,
    disputesOpen: schema,
    differencesOpen: schema,
    notificationsOverdue: schema,
  }
}

export type QueueName = keyof ReturnType<typeof ofEachQueue>

export const queuesApi = {
  'GET /queues': { access: 'approvals.read', reply: Type.Object(ofEachQueue(Type.Integer())) },
} as const satisfies Routes
