import { Refusal } from '../../errors/catalogue.ts'
import { type UploadDeps, uploadFile } from '../../reviews/upload-file.ts'
import { textOf } from '../fields/field-values.ts'
import type { Handler } from '../frame.ts'

/** `/file/upload`: a file for a review that is submitted later. */
export function createUploadHandler(deps: UploadDeps): Handler {
  return async ({ merchant, fields, files }) => {
    const [content, ...others] = files
    if (content === undefined) throw new Refusal('10002', 'file')
    if (others.length > 0) throw new Refusal('10106', 'send one file per request')
    const { fileId } = await uploadFile(deps, {
      merNo: merchant.merNo,
      type: textOf(fields, 'type'),
      content,
    })
    return { data: { fileId } }
  }
}
