// A file that a merchant uploads for a review. Its type is read from its content, and the suffix must agree with it.

export const MOST_FILE_BYTES = 2 * 1024 * 1024

/** The first bytes of each file type. */
const beginnings = {
  '.pdf': Buffer.from('%PDF-'),
  '.png': Buffer.from('89504e470d0a1a0a', 'hex'),
  '.jpg': Buffer.from('ffd8ff', 'hex'),
} as const

export type Suffix = keyof typeof beginnings

export function isSuffix(text: string): text is Suffix {
  return Object.hasOwn(beginnings, text)
}

/** Undefined when the type is not supported. */
export function suffixOf(content: Buffer): Suffix | undefined {
  return Object.keys(beginnings)
    .filter(isSuffix)
    .find((suffix) => content.subarray(0, beginnings[suffix].length).equals(beginnings[suffix]))
}

/** The file's record; the encrypted content is read separately. */
export type ReviewFile = {
  readonly merNo: number
  readonly fileId: string
  /** The order that it was submitted for, and what it proves; undefined until then. */
  readonly tradeNo: string | undefined
  readonly proves: string | undefined
  readonly suffix: Suffix
  readonly bytes: number
  readonly sha256: string
  readonly uploadedAt: Date
}

/** The encryption context: in another row the file cannot be decrypted. */
export function fileContext({ merNo, fileId }: Pick<ReviewFile, 'merNo' | 'fileId'>): string {
  return `review-file:${merNo}:${fileId}`
}
