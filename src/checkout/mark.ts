// What makes a page look different, as one short text. The page carries the mark it was made for; the live status tells the
// mark of now; when they differ the page loads itself again.
import type { CheckoutView } from './view.ts'

type Marked = Pick<CheckoutView, 'status' | 'attempts' | 'received' | 'action'>

export function markOf({ status, attempts, received, action }: Marked): string {
  const confirmations = action?.kind === 'crypto' ? action.confirmations : undefined
  return [status, attempts, received?.amount ?? '', confirmations ?? ''].join('.')
}
