import type {
  IAuthenticateGeneric,
  Icon,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from "n8n-workflow";

export class ReelscriptApi implements ICredentialType {
  name = "reelscriptApi";
  displayName = "Reelscript API";
  icon: Icon = { light: "file:../icons/reelscript.svg", dark: "file:../icons/reelscript.dark.svg" };
  documentationUrl = "https://reelscript.example/docs";

  properties: INodeProperties[] = [
    {
      displayName: "Base URL",
      name: "baseUrl",
      type: "string",
      required: true,
      default: "",
      placeholder: "e.g. https://reelscript.example",
      description: "Address of the service, without a path",
    },
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      required: true,
      default: "",
      description: "Create one in the dashboard under API keys. Only the trigger needs full access.",
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { Authorization: "=Bearer {{$credentials.apiKey}}" } },
  };

  test: ICredentialTestRequest = {
    request: { baseURL: "={{$credentials.baseUrl.replace(/\\/+$/, '')}}/api/v1", url: "/usage" },
    rules: [
      {
        type: "responseSuccessBody",
        properties: {
          key: "plan",
          value: undefined,
          message: "This address doesn't answer as Reelscript does. Check the base URL.",
        },
      },
    ],
  };
}
