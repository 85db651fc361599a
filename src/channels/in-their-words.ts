/** An outcome for an alarm: its kind, and the counterparty's own reason if it gave one. */
export function inTheirWords(outcome: { readonly kind: string; readonly message?: string }): string {
  const { kind, message = '' } = outcome
  return message === '' ? kind : `${kind}: ${message}`
}
