// A file that a merchant uploads for a review. Its type is read from its content, and the suffix must agree with it.

export const MOST_FILE_BYTES = 2 * 1024 * 1024

/** How a file of each type begins. */
const beginnings = {
  '.pdf': Buffer.from('%PDF-'),
  '.png': Buffer.from('89504e470d0a1a0a', 'hex'),
  '.jpg': Buffer.from('ffd8ff', 'hex'),
} as const

export type Suffix = keyof typeof beginnings

export function isSuffix(text: string): text is Suffix {
  return Object.hasOwn(beginnings, text)
}

/** Undefined when it is none of the types that are taken. */
export function suffixOf(content: Buffer): Suffix | undefined {
  return Object.keys(beginnings)
    .filter(isSuffix)
    .find((suffix) => content.subarray(0, beginnings[suffix].length).equals(beginnings[suffix]))
}

/** As it is stored: the content lies apart, sealed. */
export type ReviewFile = {
  readonly merNo: number
  readonly fileId: string
  /** The order it was submitted for, and what it proves there; undefined while it is loose. */
  readonly tradeNo: string | undefined
  readonly proves: string | undefined
  readonly suffix: Suffix
  readonly bytes: number
  readonly sha256: string
  readonly uploadedAt: Date
}

/** What a sealed file is bound to: moved to another row it does not open. */
export function fileContext({ merNo, fileId }: Pick<ReviewFile, 'merNo' | 'fileId'>): string {
  return `review-file:${merNo}:${fileId}`
}
