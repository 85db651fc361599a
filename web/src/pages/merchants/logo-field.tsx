// The field for the logo of a merchant's payment pages. A person can choose a new file or remove the logo. The form
// keeps the value.
import { Checkbox, FileInput, Stack } from '@mantine/core'
import { readBase64 } from '../../parts/read-base64.ts'
import { merchantsWords } from '../../words/merchants.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'

/** The value that removes the logo. */
export const NO_LOGO = 'none'

type Props = {
  /** The file in base64. `none` removes the logo. An empty text keeps the logo. */
  readonly value: string
  readonly set: (value: string) => void
  readonly problem: string | undefined
  readonly file: File | null
  readonly setFile: (file: File | null) => void
  readonly hasLogo: boolean
}

export function LogoField({ value, set, problem, file, setFile, hasLogo }: Props) {
  const merchants = useWords(merchantsWords)
  const parts = useWords(partsWords)
  const isRemoved = value === NO_LOGO
  const choose = async (chosen: File | null) => {
    setFile(chosen)
    set(chosen === null ? '' : await readBase64(chosen))
  }
  return (
    <Stack gap="xs">
      <FileInput
        label={merchants.fields.logo}
        description={merchants.logoHint}
        placeholder={parts.chooseFile}
        accept="image/png,image/jpeg"
        clearable
        clearButtonProps={{ 'aria-label': parts.clearFile }}
        disabled={isRemoved}
        value={file}
        onChange={(chosen) => void choose(chosen)}
        error={problem}
      />
      {hasLogo && (
        <Checkbox
          label={merchants.removeLogo}
          checked={isRemoved}
          onChange={({ currentTarget: { checked } }) => {
            setFile(null)
            set(checked ? NO_LOGO : '')
          }}
        />
      )}
    </Stack>
  )
}
