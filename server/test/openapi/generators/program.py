"""Calls the service with the client that openapi-python-client made of its document, and prints what came back."""

import json
import sys

from reelscript_client import AuthenticatedClient
from reelscript_client.api.account import get_me, get_usage
from reelscript_client.api.bio_page import get_bio_analytics, get_my_bio_page, update_bio_page
from reelscript_client.api.guides import get_guide, list_guides
from reelscript_client.api.library import get_script, get_script_subtitles, retranscribe_script, search_my_scripts
from reelscript_client.api.product import get_plans, get_product_overview
from reelscript_client.api.reels import resolve_reel
from reelscript_client.api.reports import get_competitor_report, list_competitor_reports
from reelscript_client.api.transcripts import list_transcriptions, transcribe_reel
from reelscript_client.models import TranscribeReelBody, UpdateBioPageBody
from reelscript_client.models.update_bio_page_body_links_type_0_item import UpdateBioPageBodyLinksType0Item

url, key, reel = sys.argv[1:]
client = AuthenticatedClient(base_url=f"{url}/api/v1", token=key)

result = transcribe_reel.sync(client=client, body=TranscribeReelBody(url=reel))
scripts = search_my_scripts.sync(client=client, query="amiable")
script = get_script.sync(scripts.scripts[0].id, client=client)
subtitles = get_script_subtitles.sync_detailed(script.id, client=client)
link = UpdateBioPageBodyLinksType0Item(title="Shop", url="https://example.com/")
written = update_bio_page.sync(client=client, body=UpdateBioPageBody(display_name="Ana", bio="Coffee", links=[link]))
cleared = update_bio_page.sync(client=client, body=UpdateBioPageBody(bio=None), if_match=f'"{written.revision}"')
report = get_competitor_report.sync(list_competitor_reports.sync(client=client).reports[0].id, client=client)
guides = list_guides.sync(client=client).guides
guide = get_guide.sync(guides[0].slug, client=client)
refused = get_script.sync("scr_0000000000000000", client=client)
heard = retranscribe_script.sync(script.id, client=client)

json.dump(
    {
        "transcript": result.transcript,
        "used": result.usage.used,
        "total": scripts.total,
        "handle": scripts.scripts[0].account,
        "script": script.transcript,
        "segment": script.segments[0].text,
        "subtitles": subtitles.content.decode().startswith("1\n00:00"),
        "link": written.links[0].title,
        "changed": [change.path for change in cleared.changes],
        "bio": cleared.bio,
        "page": get_my_bio_page.sync(client=client).revision,
        "period": get_bio_analytics.sync(client=client).views,
        "report": [report.handle, report.reels_analyzed == 16, report.metrics.avg_views > 0],
        "guide": [guide.title == guides[0].title, len(guide.body_markdown) > 100, guide.sections[0].title != ""],
        "code": refused.error.code,
        "heard": heard.error.code,
        "plan": get_usage.sync(client=client).plan,
        "limit": get_usage.sync(client=client).transcriptions.limit,
        "account": get_me.sync(client=client).account.plan,
        "author": resolve_reel.sync(client=client, url_query=reel).author.handle,
        "transcriptions": [one.status for one in list_transcriptions.sync(client=client).transcriptions],
        "plans": [plan.id for plan in get_plans.sync(client=client).plans],
        "languages": len(get_product_overview.sync(client=client).languages),
    },
    sys.stdout,
)
