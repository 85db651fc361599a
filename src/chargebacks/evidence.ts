// Evidence against a chargeback: a note, and perhaps a file.

export type EvidenceFile = { readonly name: string; readonly bytes: number; readonly sha256: string }

export type Evidence = {
  readonly merNo: number
  readonly evidenceId: string
  readonly tradeNo: string
  readonly note: string
  readonly file: EvidenceFile | undefined
  /** Undefined for evidence of older versions, which have no stored file either. */
  readonly by: string | undefined
  readonly at: Date
}

/** The encryption context: in another row the file cannot be decrypted. */
export function evidenceContext(evidenceId: string): string {
  return `evidence:${evidenceId}`
}
