import { selectListed, selectNames, selectReviewSubscribers, selectWaiting } from './list-sql.ts'

export const listMerchants = selectListed

/** Counts the merchants and the websites that wait for an operator's approval. */
export const countWaitingMerchants = selectWaiting

/** Returns the names by merchant number. Numbers that do not exist are not in the result. */
export const merchantNames = selectNames

/** Returns which of the given merchants want a notification when a payment needs more information. */
export const wantReviewNotifications = selectReviewSubscribers
