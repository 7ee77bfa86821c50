/**
 * How the makers of keys write them. A row is all there is to a form: what finds it in a text, what waits for the rest of
 * it in a stream, what masks it and what tests it all follow from here.
 */
export interface Form {
  name: string
  /** How it begins. A mask keeps this. */
  heads: readonly string[]
  /** The characters that follow, as the inside of a character class, and at least how many. */
  body: string
  min: number
  /** It counts in the middle of a word, too: nothing else contains its head and so much after it. */
  glued?: true
  /** For forms of several parts: whether the whole is one. */
  whole?: RegExp
  /** The rest of an example behind the first head, where random characters of `body` do not make one. */
  sample?: string
}

const TWO_PARTS = 'aB3dE5gH7jK9mN1pQ4sT6v.X8zC2fG0aB3dE5gH7jK9mN1pQ4sT6vX8zC2fG0aB3dE'
const ALNUM = 'A-Za-z0-9'
const WORD = 'A-Za-z0-9_'
const URL_SAFE = 'A-Za-z0-9_-'

/** Letters of both cases and digits: names that begin like this have not all of them. */
const MIXED = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])/

export const FORMS: readonly Form[] = [
  { name: 'Anthropic', heads: ['sk-ant-'], body: URL_SAFE, min: 16, glued: true },
  { name: 'OpenAI project', heads: ['sk-proj-', 'sk-svcacct-', 'sk-admin-'], body: URL_SAFE, min: 16, glued: true },
  { name: 'OpenRouter', heads: ['sk-or-v1-'], body: URL_SAFE, min: 16, glued: true },
  // Names of classes in style sheets and branches begin like this, too, but have no digit and no capital.
  { name: 'OpenAI, DeepSeek', heads: ['sk-'], body: URL_SAFE, min: 16, whole: /[0-9A-Z]/ },
  {
    ...{ name: 'Stripe', body: ALNUM, min: 16, glued: true },
    heads: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'pk_live_', 'pk_test_', 'whsec_'],
  },
  { name: 'GitHub', heads: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], body: ALNUM, min: 20, glued: true },
  { name: 'GitHub, fine-grained', heads: ['github_pat_'], body: WORD, min: 20, glued: true },
  {
    ...{ name: 'GitLab', body: `.${URL_SAFE}`, min: 16, glued: true },
    heads: ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glsoat-', 'gloas-', 'glagent-', 'glimt-'],
  },
  {
    ...{ name: 'Slack', body: `${ALNUM}-`, min: 10, whole: /\d/ },
    heads: ['xoxa-', 'xoxb-', 'xoxc-', 'xoxe-', 'xoxe.', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-'],
  },
  { name: 'Slack cookie', heads: ['xoxd-'], body: `%+/=${URL_SAFE}`, min: 20, whole: /\d/ },
  { name: 'AWS', heads: ['AKIA', 'ASIA'], body: 'A-Z0-9', min: 16, whole: /^.{20}$/ },
  { name: 'AWS Bedrock', heads: ['ABSK'], body: `${ALNUM}+/=`, min: 100, whole: /\d/ },
  { name: 'Google', heads: ['AIza'], body: URL_SAFE, min: 30, whole: /^.{34,41}$/ },
  { name: 'Google sign-in', heads: ['ya29.'], body: `.${URL_SAFE}`, min: 20 },
  { name: 'Google refresh', heads: ['1//0'], body: URL_SAFE, min: 30, whole: MIXED },
  { name: 'Google client secret', heads: ['GOCSPX-'], body: URL_SAFE, min: 20, glued: true },
  { name: 'npm', heads: ['npm_'], body: ALNUM, min: 30, whole: /\d/ },
  { name: 'PyPI', heads: ['pypi-'], body: URL_SAFE, min: 30, whole: /[A-Z]/ },
  { name: 'Hugging Face', heads: ['hf_', 'api_org_'], body: ALNUM, min: 20, whole: /[A-Z\d]/ },
  { name: 'Groq', heads: ['gsk_'], body: ALNUM, min: 20 },
  { name: 'xAI', heads: ['xai-'], body: ALNUM, min: 20 },
  { name: 'Replicate', heads: ['r8_'], body: ALNUM, min: 20 },
  { name: 'Perplexity', heads: ['pplx-'], body: ALNUM, min: 20 },
  { name: 'Fireworks', heads: ['fw_'], body: ALNUM, min: 20, whole: /\d/ },
  { name: 'Tavily', heads: ['tvly-'], body: URL_SAFE, min: 20 },
  {
    name: 'SendGrid',
    heads: ['SG.'],
    body: `.${URL_SAFE}`,
    min: 33,
    whole: /^SG\.[\w-]{16,}\.[\w-]{16,}/,
    sample: TWO_PARTS,
  },
  { name: 'DigitalOcean', heads: ['dop_v1_', 'doo_v1_', 'dor_v1_'], body: 'a-f0-9', min: 32, glued: true },
  { name: 'Twilio', heads: ['SK'], body: 'a-f0-9', min: 32, whole: /^.{34}$/ },
  { name: 'Mailgun', heads: ['key-'], body: 'a-f0-9', min: 32, whole: /^.{36}$/ },
  { name: 'Shopify', heads: ['shpat_', 'shpca_', 'shppa_', 'shpss_'], body: 'a-fA-F0-9', min: 32, glued: true },
  { name: 'Linear, Databricks', heads: ['lin_api_', 'dapi'], body: ALNUM, min: 30, whole: /\d/ },
  { name: 'Notion', heads: ['ntn_', 'secret_'], body: ALNUM, min: 40, whole: /\d/ },
  { name: 'Docker', heads: ['dckr_pat_', 'dckr_oat_'], body: URL_SAFE, min: 20, glued: true },
  { name: 'Vault', heads: ['hvs.', 'hvb.'], body: URL_SAFE, min: 20 },
  { name: 'Age', heads: ['AGE-SECRET-KEY-1'], body: 'A-Z0-9', min: 40, glued: true },
  { name: 'Supabase', heads: ['sbp_'], body: 'a-f0-9', min: 32 },
  {
    name: 'Sentry, Grafana',
    heads: ['sntrys_', 'sntryu_', 'glsa_', 'glc_'],
    body: 'A-Za-z0-9_=+/',
    min: 20,
    whole: /\d/,
  },
  { name: 'NVIDIA', heads: ['nvapi-'], body: URL_SAFE, min: 40, glued: true },
  { name: 'Cerebras', heads: ['csk-'], body: ALNUM, min: 32, whole: /\d/ },
  { name: 'Brave', heads: ['BSA'], body: URL_SAFE, min: 24, whole: /^(?=.*\d)(?=.*[a-z]).{27,31}$/ },
  { name: 'ElevenLabs', heads: ['sk_'], body: 'a-f0-9', min: 32 },
  { name: 'Voyage', heads: ['pa-'], body: URL_SAFE, min: 40, whole: MIXED },
  { name: 'Jina', heads: ['jina_'], body: WORD, min: 40, whole: /\d/ },
  { name: 'LangSmith', heads: ['lsv2_pt_', 'lsv2_sk_'], body: WORD, min: 32 },
  { name: 'Firecrawl', heads: ['fc-'], body: 'a-f0-9', min: 32, whole: /^.{35}$/ },
  { name: 'Anyscale', heads: ['esecret_'], body: ALNUM, min: 20, whole: /\d/ },
  { name: 'E2B', heads: ['e2b_'], body: 'a-f0-9', min: 40 },
  { name: 'Browserbase', heads: ['bb_live_'], body: URL_SAFE, min: 20 },
  { name: 'Doppler', heads: ['dp.pt.', 'dp.st.', 'dp.sa.', 'dp.ct.', 'dp.scim.'], body: `.${WORD}`, min: 40 },
  { name: '1Password', heads: ['ops_eyJ'], body: `=${URL_SAFE}`, min: 60, glued: true },
  { name: 'Pulumi', heads: ['pul-'], body: 'a-f0-9', min: 40 },
  { name: 'Netlify', heads: ['nfp_', 'nfc_', 'nfo_'], body: ALNUM, min: 30, whole: /\d/ },
  { name: 'Vercel', heads: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], body: ALNUM, min: 40, whole: /\d/ },
  { name: 'Cloudflare origin', heads: ['v1.0-'], body: 'a-f0-9-', min: 150 },
  { name: 'Heroku', heads: ['HRKU-'], body: URL_SAFE, min: 36 },
  { name: 'Fly', heads: ['fm1r_', 'fm1a_', 'fm2_'], body: `+/=${URL_SAFE}`, min: 60, whole: /\d/ },
  { name: 'Render', heads: ['rnd_'], body: ALNUM, min: 28, whole: MIXED },
  {
    name: 'PlanetScale',
    heads: ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'],
    body: `.=${URL_SAFE}`,
    min: 32,
    glued: true,
  },
  { name: 'Neon', heads: ['napi_'], body: ALNUM, min: 40, whole: /\d/ },
  { name: 'Supabase secret', heads: ['sb_secret_'], body: URL_SAFE, min: 20, glued: true },
  { name: 'New Relic', heads: ['NRAK-'], body: 'A-Z0-9', min: 24 },
  { name: 'PostHog', heads: ['phx_', 'phs_'], body: ALNUM, min: 32, whole: /\d/ },
  { name: 'Resend', heads: ['re_'], body: WORD, min: 24, whole: MIXED },
  { name: 'Brevo', heads: ['xkeysib-', 'xsmtpsib-'], body: `${ALNUM}-`, min: 60, glued: true },
  { name: 'Square', heads: ['sq0csp-', 'sq0atp-', 'sq0idp-'], body: URL_SAFE, min: 22, glued: true },
  { name: 'Square access', heads: ['EAAA'], body: URL_SAFE, min: 56, whole: /^(?=.*\d)(?=.*[a-z]).{60,}$/ },
  { name: 'Facebook', heads: ['EAA'], body: ALNUM, min: 100, whole: /^(?=.*\d)(?=.*[a-z]).{103,260}$/ },
  { name: 'Figma', heads: ['figd_'], body: URL_SAFE, min: 36, glued: true },
  { name: 'Postman', heads: ['PMAK-'], body: 'a-f0-9-', min: 50, glued: true },
  { name: 'Atlassian', heads: ['ATATT3', 'ATCTT3'], body: `=${URL_SAFE}`, min: 60, glued: true },
  { name: 'Dropbox', heads: ['sl.'], body: `.${URL_SAFE}`, min: 100, whole: MIXED },
  { name: 'SonarQube', heads: ['squ_', 'sqp_', 'sqa_'], body: 'a-f0-9', min: 40 },
  { name: 'CircleCI', heads: ['CCIPAT_', 'CCIPRJ_'], body: WORD, min: 40, glued: true },
  { name: 'Buildkite', heads: ['bkua_'], body: 'a-f0-9', min: 40 },
  { name: 'RubyGems', heads: ['rubygems_'], body: 'a-f0-9', min: 48, glued: true },
  { name: 'NuGet', heads: ['oy2'], body: 'a-z0-9', min: 43, whole: /^.{46}$/ },
  { name: 'crates.io', heads: ['cio'], body: ALNUM, min: 32, whole: /^(?=.*\d)(?=.*[A-Z]).{35}$/ },
  { name: 'Adafruit', heads: ['aio_'], body: ALNUM, min: 28, whole: /^(?=.*\d)(?=.*[A-Z]).{32}$/ },
  { name: 'Artifactory', heads: ['AKCp'], body: ALNUM, min: 60, whole: /\d/ },
  { name: 'Modal', heads: ['ak-', 'as-'], body: ALNUM, min: 20, whole: /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{23,28}$/ },
  { name: 'Okta', heads: ['00'], body: URL_SAFE, min: 40, whole: /^(?=.*[a-z])(?=.*[A-Z]).{42}$/ },
  {
    name: 'Twitter',
    heads: ['A'.repeat(20)],
    body: `${ALNUM}%`,
    min: 80,
    whole: /^(?=.*\d)(?=.*[a-z])A{20,24}(?!A).{76,100}$/,
  },
  { name: 'Tailscale', heads: ['tskey-'], body: `${ALNUM}-`, min: 24, whole: /\d/ },
  { name: 'agent-mux', heads: ['amux_'], body: URL_SAFE, min: 32, whole: /\d/ },
  {
    ...{ name: 'JSON web token', heads: ['eyJ'], body: `.${URL_SAFE}`, min: 30, glued: true },
    ...{ whole: /^eyJ[\w-]{10,}\.(?:eyJ[\w-]{6,}\.[\w-]*|[\w-]*\.[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})/ },
    sample: 'hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.c2lnbmF0dXJl_0123',
  },
]
