// What waits for operators: one number for each queue.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'

const Count = Type.Integer()

export const queuesApi = {
  'GET /queues': {
    access: 'approvals.read',
    reply: Type.Object({
      merchantsToApprove: Count,
      websitesToApprove: Count,
      refundsToApprove: Count,
      payoutsToApprove: Count,
      unknownOutcomes: Count,
      reviewsToDecide: Count,
      suspenseToDecide: Count,
      disputesOpen: Count,
      notificationsOverdue: Count,
    }),
  },
} as const satisfies Routes
